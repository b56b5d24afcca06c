import { createGate, type GateOptions } from '../../../../sdk/src/index.ts'
import { fakeGatehouse } from '../../../../sdk/src/testing.ts'

/** The time at which every gate begins. */
export const START = Date.UTC(2027, 2, 3, 9)

/** A gate in front of a fake, with one clock for both. */
export function setUpGate(options: Partial<GateOptions> = {}) {
  let time = START
  const gatehouse = fakeGatehouse({ now: () => Math.floor(time / 1000) })
  const errors: unknown[] = []
  const gate = createGate({
    ...{ gatehouse, timeout: 50, now: () => time },
    onError: (error) => errors.push(error),
    ...options,
  })
  return {
    ...{ gate, gatehouse, errors },
    decide: (userRef: string | number | null | undefined, rid = 'news') =>
      gate.decide({ userRef, rid }),
    /** How many times the service was asked since the last look. */
    asked: () => (gatehouse.calls as unknown[]).splice(0).length,
    wait: (ms: number) => {
      time += ms
    },
    seconds: () => Math.floor(time / 1000),
  }
}
