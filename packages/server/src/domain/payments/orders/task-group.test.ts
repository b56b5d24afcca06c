import { expect, it } from 'vitest'
import { createTaskGroup } from './task-group.ts'

const LONG_MS = 60_000

function newTask() {
  let end = () => {}
  let fail = (_: Error) => {}
  const work = new Promise<void>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  return { work, end, fail }
}

it('counts the tasks that run, of one kind and of all', async () => {
  const group = createTaskGroup()
  const [one, two, other] = [newTask(), newTask(), newTask()]
  group.add('refunds', one.work)
  group.add('refunds', two.work)
  group.add('payments', other.work)
  expect([group.count(), group.count('refunds'), group.count('payments')]).toEqual([3, 2, 1])
  one.end()
  await group.waitForChange(LONG_MS)
  expect([group.count(), group.count('refunds'), group.count('payments')]).toEqual([2, 1, 1])
  two.end()
  other.end()
  await group.join()
  expect(group.count()).toBe(0)
})

it('waits until a task has ended, also one that ended before', async () => {
  const group = createTaskGroup()
  const [one, two] = [newTask(), newTask()]
  group.add('refunds', one.work)
  group.add('refunds', two.work)
  let waits = 2
  const first = group.waitForChange(LONG_MS).then(() => waits--)
  await Promise.resolve()
  expect(waits).toBe(2)
  one.end()
  await first
  two.end()
  await two.work
  await new Promise(setImmediate)
  await group.waitForChange(LONG_MS)
})

it('waits no longer than it is told, and again the next time', async () => {
  const group = createTaskGroup()
  const task = newTask()
  group.add('refunds', task.work)
  for (let n = 0; n < 2; n++) {
    const began = performance.now()
    await group.waitForChange(30)
    const waited = performance.now() - began
    expect(waited).toBeGreaterThan(28)
    expect(waited).toBeLessThan(LONG_MS / 2)
  }
  task.end()
  await group.waitForChange(LONG_MS)
  const began = performance.now()
  await group.waitForChange(30)
  expect(performance.now() - began).toBeGreaterThan(28)
})

it('knows of a failure, waits for all the same, and says the first', async () => {
  const group = createTaskGroup()
  const [one, two, three] = [newTask(), newTask(), newTask()]
  for (const { work } of [one, two, three]) group.add('payments', work)
  expect(group.hasFailed()).toBe(false)
  one.fail(new Error('the first'))
  await group.waitForChange(LONG_MS)
  expect(group.hasFailed()).toBe(true)
  let isJoined = false
  const joining = group.join().finally(() => {
    isJoined = true
  })
  two.fail(new Error('the second'))
  await new Promise(setImmediate)
  expect(isJoined).toBe(false)
  three.end()
  await expect(joining).rejects.toThrow('the first')
})

it('joins at once what has ended without a failure', async () => {
  const group = createTaskGroup()
  group.add('payments', Promise.resolve())
  await group.join()
  expect([group.count(), group.hasFailed()]).toEqual([0, false])
  await expect(createTaskGroup().join()).resolves.toBeUndefined()
})
