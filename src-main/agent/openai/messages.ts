import type OpenAI from 'openai';
import type { ChatMessage } from '../contract.ts';

type ApiMessage = OpenAI.Chat.ChatCompletionMessageParam;

/** The loop's messages as the chat completions API wants them. */
export function toApiMessages(messages: readonly ChatMessage[]): ApiMessage[] {
  return messages.map(toApiMessage);
}

function toApiMessage(message: ChatMessage): ApiMessage {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      if (!message.images?.length) return { role: 'user', content: message.text };
      return {
        role: 'user',
        content: [
          { type: 'text', text: message.text },
          ...message.images.map(({ data, mimeType }) => ({
            type: 'image_url' as const,
            image_url: { url: `data:${mimeType};base64,${data}` },
          })),
        ],
      };
    case 'assistant':
      return {
        role: 'assistant',
        // Endpoints differ in what they take beside tool calls: null is what the API itself gives.
        content: message.text || null,
        ...(message.toolCalls.length > 0 && {
          tool_calls: message.toolCalls.map(({ id, name, arguments: text }) => ({
            id,
            type: 'function' as const,
            function: { name, arguments: text || '{}' },
          })),
        }),
      };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.text };
  }
}
