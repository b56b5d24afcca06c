import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { databases } from '../testing/databases.ts'
import { acceptInvite, callApi, tokenIn } from '../testing/staff.ts'
import { useFreshService } from '../testing/use-service.ts'
import { createFirstApplications } from './first-start.ts'
import { setUpLinkPath } from './set-up-link.ts'
import { welcomeText } from './welcome.ts'

describe.each(databases)('what a start prints, on $name', (database) => {
  const service = useFreshService(database)

  async function welcome(isTerminal: boolean): Promise<string> {
    const [production, sandbox] = ['http://localhost:8080', 'http://localhost:8080/sandbox']
    const isFirst = await createFirstApplications(service.ctx)
    return await welcomeText(service.ctx, { production, sandbox }, { isTerminal, isFirst })
  }
  const path = () => setUpLinkPath(service.ctx.config.dataFolder)
  const linkIn = (text: string) => /\S+\/welcome#\w+/.exec(text)?.[0] ?? ''
  const look = async (link: string) => {
    const body = { token: tokenIn(link) }
    return (await callApi(service.url, 'POST', '/link/look', { body })).status
  }

  it('has no secret in a log: the link for the first owner is in a file of the service’s user', async () => {
    const text = await welcome(false)
    expect(linkIn(text)).toBe('')
    expect(text).not.toContain('private key')
    expect(text).toContain(`First account: open the link in ${path()}, or run npx gatehouse`)
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    const link = linkIn(readFileSync(path(), 'utf8'))
    expect(await look(link)).toBe(200)
    const { email } = await acceptInvite(service.url, tokenIn(link), { email: 'ann@example.com' })
    expect(email).toBe('ann@example.com')
    expect(await welcome(false)).not.toContain('First account')
    expect(existsSync(path())).toBe(false)
  })

  it('has the link on a terminal, and each start makes those before void', async () => {
    await welcome(false)
    const first = linkIn(readFileSync(path(), 'utf8'))
    const text = await welcome(true)
    const second = linkIn(text)
    expect(text).toContain(`Dashboard: ${second}\n`)
    expect([await look(first), await look(second)]).toEqual([403, 200])
    expect(await welcome(false)).not.toContain(tokenIn(second))
    expect(await look(second)).toBe(403)
  })

  it('has a sample request with the time at which it was signed', async () => {
    const now = Math.floor(service.ctx.environments.sandbox.realTime() / 1000)
    expect(await welcome(false)).toMatch(new RegExp(`curl .*user_ref=demo-reader&ts=${now}'`))
  })
})
