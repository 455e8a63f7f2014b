import '@fontsource-variable/inter';
import '@fontsource-variable/jetbrains-mono';
import { mount } from 'svelte';
import { config } from 'zod';
import App from './App.svelte';
import './base.css';
import { connect } from './rpc/connect.ts';
import './tokens.css';
import './ui/hljs.css';

// The page's policy allows no eval: zod must not try to compile its checks.
config({ jitless: true });

const target = document.getElementById('app');
if (target) mount(App, { target, props: { rpc: connect() } });
