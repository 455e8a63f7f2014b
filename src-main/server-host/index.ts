export { readAttachments } from './read-attachments.ts';
export { createServerHost } from './server-host.ts';
