import { beforeAll, describe, expect, it } from 'vitest'
import { accountSubject } from '../../../domain/staff/login-throttle.ts'
import { databases } from '../../../testing/databases.ts'
import { seen, useSignIn } from '../../../testing/http/sign-in.ts'
import { duringPasswordFlood } from '../../../testing/password-flood.ts'
import { newMember, newOwner, type TestMember } from '../../../testing/staff.ts'

describe.each(databases)('signing in on $name', (database) => {
  const { service, other, signIn, pass } = useSignIn(database)
  let owner: TestMember
  beforeAll(async () => {
    owner = await newOwner(service)
  })

  it('locks an account after ten tries, whichever process they come to, known or not', async () => {
    const { id } = await newMember(owner, service.url, 'reader', 'locked@example.com')
    for (const email of ['locked@example.com', 'unknown@example.com']) {
      const urls = Array.from({ length: 12 }, (_, i) => (i % 2 ? service.url : other.url))
      const tries = await Promise.all(urls.map((url) => signIn(email, 'wrong password', url)))
      const statuses = tries.map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    }
    const [known, unknown] = [
      await signIn('locked@example.com'),
      await signIn('unknown@example.com'),
    ]
    expect(known).toMatchObject({ status: 429, headers: { 'retry-after': '900' } })
    expect(seen(known)).toEqual(seen(unknown))

    // A reset by an owner unlocks the account, and so does time.
    expect((await owner.call('POST', `/team/${id}/reset`)).status).toBe(200)
    expect((await signIn('locked@example.com')).status).toBe(200)
    pass(15 * 60)
    expect((await signIn('unknown@example.com')).status).toBe(401)
  })

  it('locks an address out after fifty tries for whomever; those that succeed do not count', async () => {
    pass(15 * 60)
    for (let n = 0; n < 3; n++) expect((await signIn('owner@example.com')).status).toBe(200)
    const statuses: number[] = []
    // All of them count in one row. More at once would wait for its lock too long on a busy machine.
    for (let done = 0; done < 52; done += 13) {
      const tries = Array.from({ length: 13 }, (_, i) =>
        signIn(`person${done + i}@example.com`, 'wrong password', i % 2 ? service.url : other.url),
      )
      statuses.push(...(await Promise.all(tries)).map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect((await signIn('owner@example.com')).status).toBe(429)
    pass(15 * 60)
    expect((await signIn('owner@example.com')).status).toBe(200)
  })

  it('writes nothing for an address that is locked out, and locks no account for it', async () => {
    pass(15 * 60)
    for (let n = 0; n < 50; n++) await signIn(`person${n}@example.com`, 'wrong password')
    const rows = async () =>
      (await service.ctx.control.read.selectFrom('staff_tries').selectAll().execute()).sort(
        (a, b) => (a.subject < b.subject ? -1 : 1),
      )
    const before = await rows()
    for (let n = 0; n < 11; n++) expect((await signIn('owner@example.com')).status).toBe(429)
    expect(await rows()).toEqual(before)
    await service.ctx.control.write((trx) =>
      trx.deleteFrom('staff_tries').where('subject', 'like', 'address %').execute(),
    )
    expect((await signIn('owner@example.com')).status).toBe(200)
  })

  it('counts no try that nobody had time to look at', async () => {
    pass(15 * 60)
    const people = Array.from({ length: 20 }, (_, i) => `patient${i}@example.com`)
    const codes = await duringPasswordFlood(async (stopFlood) => {
      const tries = people.map(async (email) => {
        const { json } = await signIn(email)
        const { code } = (json as { error: { code: string } }).error
        if (code === 'overloaded') stopFlood()
        return code
      })
      return await Promise.all(tries)
    })
    expect(codes).toContain('overloaded')
    const tries = await Promise.all(people.map((email) => triesOf(accountSubject(email))))
    // Attempts that were checked count as usual. On a busy machine the database may have turned some away, at any point.
    const isSure = (_: unknown, n: number) => codes[n] !== 'database_unavailable'
    const counted = codes.map((code) => (code === 'overloaded' ? 0 : 1))
    expect(tries.filter(isSure)).toEqual(counted.filter(isSure))
    expect(await triesOf('address 127.0.0.1')).toBe(tries.filter((one) => one === 1).length)
  })

  const triesOf = async (subject: string) => {
    const query = service.ctx.control.read.selectFrom('staff_tries').select('tries')
    return (await query.where('subject', '=', subject).executeTakeFirst())?.tries ?? 0
  }
})
