// SPDX-License-Identifier: MIT
import './style.css'
