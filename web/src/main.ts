// Entry point of the board: theme first, so that nothing is painted twice, then the app.
import { mount } from 'svelte'
import './styles/tokens.css'
import './styles/base.css'
import App from './app/App.svelte'
import { browserTheme } from './app/theme'

mount(App, { target: document.body, props: { theme: browserTheme() } })
