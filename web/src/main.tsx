// SPDX-License-Identifier: MIT
import './style.css'
import { mount } from './app'
import { keptSource } from './kept'
import { makeWire } from './wire'

mount(keptSource() ?? makeWire(), document.getElementById('app')!)
