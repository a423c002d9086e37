// SPDX-License-Identifier: MIT
import './style.css'
import { mount } from './app'
import { makeWire } from './wire'

mount(makeWire(), document.getElementById('app')!)
