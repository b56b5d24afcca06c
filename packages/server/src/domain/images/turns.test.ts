import { describe, expect, it } from 'vitest'
import { TurnsByApplication } from './turns.ts'

/** Work that somebody else ends. */
function startable() {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return { work: () => ended, end }
}

describe('work of several applications', () => {
  it('is done one piece at a time, and applications take turns', async () => {
    const turns = new TurnsByApplication({ maxWaiting: 20, maxWaitingForEach: 4 })
    const done: string[] = []
    let running = 0
    const add = (aid: string, name: string) =>
      turns.run(aid, async () => {
        expect(++running).toBe(1)
        await new Promise(setImmediate)
        running--
        done.push(name)
      })
    const all = [
      ...['a1', 'a2', 'a3', 'a4'].map((name) => add('a', name)),
      ...['b1', 'b2'].map((name) => add('b', name)),
      add('c', 'c1'),
    ]
    await Promise.all(all)
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('is refused where one application has too much of it, and others may still come', async () => {
    const turns = new TurnsByApplication({ maxWaiting: 3, maxWaitingForEach: 2 })
    const first = startable()
    const taken = [turns.run('a', first.work), ...[1, 2].map(() => turns.run('a', async () => {}))]
    const overloaded = { code: 'overloaded' }
    await expect(turns.run('a', async () => {})).rejects.toMatchObject(overloaded)
    taken.push(turns.run('b', async () => {}))
    await expect(turns.run('b', async () => {})).rejects.toMatchObject(overloaded)
    taken.push(turns.run('c', async () => {}))
    first.end()
    await Promise.all(taken)
    await turns.run('a', async () => {})
  })

  it('that fails lets the next begin', async () => {
    const turns = new TurnsByApplication({ maxWaiting: 2, maxWaitingForEach: 2 })
    const failing = turns.run('a', () => Promise.reject(new Error('broken')))
    const next = turns.run('a', async () => 'done')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('done')
  })
})
