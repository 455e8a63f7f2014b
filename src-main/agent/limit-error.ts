import { CausewayError } from '../../src-shared/index.ts';

/** What a model's endpoint would not take of an otherwise good request. */
export type ModelLimit = 'context' | 'images';

/** The endpoint refused a request for its size or its images: the loop answers by sending less. */
export class ModelLimitError extends CausewayError {
  readonly limit: ModelLimit;

  constructor(limit: ModelLimit, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super('bad_input', message, options);
    this.name = 'ModelLimitError';
    this.limit = limit;
  }
}
