/** The gate around a route handler of Next.js. A page calls `createGate(…).decide(…)` instead, which is in
 * `@gatehouse/sdk`. */
export {
  type Decision,
  decisionOf,
  gate,
  type Handler,
  type WorkerGateOptions as NextGateOptions,
} from './worker.ts'
