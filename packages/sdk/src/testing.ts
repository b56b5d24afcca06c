/** For the tests of a site: a fake client that answers from memory, and a real service. Needs Node, Deno or Bun. */
export { type FakeGatehouse, type FakeOptions, fakeGatehouse } from './test-kit/fake-gatehouse.ts'
export type { FakeCall, FakeState } from './test-kit/fake-service.ts'
export {
  type RunningGatehouse,
  type StartOptions,
  startGatehouse,
} from './test-kit/start-gatehouse.ts'
