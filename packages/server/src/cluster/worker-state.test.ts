import { describe, expect, it } from 'vitest'
import { createWorkerLifecycle } from './worker-state.ts'

type Event = Parameters<ReturnType<typeof createWorkerLifecycle>['apply']>[0]

function stateAfter(...events: Event[]) {
  const lifecycle = createWorkerLifecycle()
  for (const event of events) lifecycle.apply(event)
  return lifecycle.state
}

describe('the state of a worker', () => {
  it('goes from starting over serving and draining to stopped', () => {
    expect(stateAfter()).toBe('starting')
    expect(stateAfter('serve')).toBe('serving')
    expect(stateAfter('serve', 'drain')).toBe('draining')
    expect(stateAfter('serve', 'drain', 'stop')).toBe('stopped')
  })

  it('is retiring once the worker is replaced, even if it was starting or draining', () => {
    expect(stateAfter('retire')).toBe('retiring')
    expect(stateAfter('serve', 'retire')).toBe('retiring')
    expect(stateAfter('serve', 'drain', 'retire')).toBe('retiring')
  })

  it('never goes back', () => {
    expect(stateAfter('drain', 'serve')).toBe('draining')
    expect(stateAfter('retire', 'serve', 'drain')).toBe('retiring')
    expect(stateAfter('stop', 'serve', 'drain', 'retire')).toBe('stopped')
  })
})
