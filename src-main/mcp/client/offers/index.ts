export { createBeside, type Beside } from './beside.ts';
export { createOffersSide, expandTemplate, type OffersSide } from './offers-side.ts';
