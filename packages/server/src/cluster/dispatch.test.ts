import type { Worker } from 'node:cluster'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDispatch } from './dispatch.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function newWorker() {
  const calls: string[] = []
  const connections = {
    release: () => calls.push('release'),
    answerWith: () => calls.push('answer'),
  }
  return { handle: {} as Worker, connections, calls }
}

it('releases the connections of a dead worker at once while another serves', () => {
  const dispatch = createDispatch(
    () => false,
    () => {},
  )
  const [one, other] = [newWorker(), newWorker()]
  dispatch.add(one)
  dispatch.add(other)
  dispatch.remove(one)
  expect(one.calls).toEqual(['release'])
})

it('keeps those of the last one until another serves, and has them answered after two seconds', () => {
  const dispatch = createDispatch(
    () => false,
    () => {},
  )
  const [one, other, next] = [newWorker(), newWorker(), newWorker()]
  dispatch.add(one)
  dispatch.add(other)
  dispatch.remove(one)
  dispatch.remove(other)
  vi.advanceTimersByTime(1_999)
  expect(other.calls).toEqual([])
  vi.advanceTimersByTime(1)
  expect(other.calls).toEqual(['answer'])
  dispatch.add(next)
  expect(other.calls).toEqual(['answer', 'release'])
})

it('lets nobody wait through several outages: those of workers that die soon count as one', () => {
  const dispatch = createDispatch(
    () => false,
    () => {},
  )
  const [one, next, third] = [newWorker(), newWorker(), newWorker()]
  dispatch.add(one)
  dispatch.remove(one)
  vi.advanceTimersByTime(1_500)
  dispatch.add(next)
  dispatch.remove(next)
  vi.advanceTimersByTime(500)
  expect(next.calls).toEqual(['answer'])
  dispatch.add(third)
  vi.advanceTimersByTime(2_000)
  dispatch.remove(third)
  vi.advanceTimersByTime(1_999)
  expect(third.calls).toEqual([])
  vi.advanceTimersByTime(1)
  expect(third.calls).toEqual(['answer'])
})

it('keeps nothing when the service stops', () => {
  let isStopping = false
  const dispatch = createDispatch(
    () => isStopping,
    () => {},
  )
  const [one, other] = [newWorker(), newWorker()]
  dispatch.add(one)
  dispatch.remove(one)
  isStopping = true
  dispatch.stop()
  expect(one.calls).toEqual(['release'])
  dispatch.add(other)
  dispatch.remove(other)
  expect(other.calls).toEqual(['release'])
  vi.advanceTimersByTime(10_000)
  expect([one.calls, other.calls]).toEqual([['release'], ['release']])
})
