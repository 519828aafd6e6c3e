// Entry point of the board.
import { mount } from 'svelte'
import './styles/tokens.css'
import './styles/base.css'
import App from './app/App.svelte'

mount(App, { target: document.body })
