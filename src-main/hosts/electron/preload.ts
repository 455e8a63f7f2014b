import { contextBridge, ipcRenderer } from 'electron';
import { CHANNEL } from './bridge.ts';

// All that the page gets of Electron: two functions that carry text. No event objects, no channel names, nothing to call through.
contextBridge.exposeInMainWorld('causeway', {
  send: (json: string): void => ipcRenderer.send(CHANNEL, json),
  onMessage: (callback: (json: string) => void): void => {
    ipcRenderer.on(CHANNEL, (_event, json: string) => callback(json));
  },
});
