import type { StoredResult, ToolResult } from '../../../src-shared/index.ts';
import type { BlobStore, OutputStore } from '../../store/index.ts';

/**
 * A recorded result with its media, and with its text whole again where one text was shortened for the log: views read their data
 * from it. Of several texts it is not known any more where one ended.
 */
export function wholeResult(
  stored: StoredResult,
  { blobs, outputs }: { blobs: BlobStore; outputs: OutputStore },
): ToolResult {
  const result = blobs.loadResult(stored);
  const { truncation } = stored;
  const texts = result.content.filter((part) => part.type === 'text');
  if (!truncation || texts.length !== 1) return result;
  try {
    const { text } = outputs.read(truncation.handle, 0, truncation.totalBytes);
    return {
      ...result,
      content: result.content.map((part) => (part.type === 'text' ? { ...part, text: text.replace(/\n$/, '') } : part)),
    };
  } catch {
    // It was kept for a while only.
    return result;
  }
}
