import { describe, expect, it } from 'vitest'
import { createSetupLink } from '../../../domain/staff/links.ts'
import { databases } from '../../../testing/databases.ts'
import { startTestService } from '../../../testing/service.ts'
import { acceptInvite, callApi, PASSWORD } from '../../../testing/staff.ts'

describe.each(databases)('setting up on $name', (database) => {
  it('makes one owner by the newest link, however many use it at once', async () => {
    const service = await startTestService(database)
    try {
      const { ctx, url, clock } = service
      const tokens: string[] = []
      for (let n = 0; n < 3; n++) {
        tokens.push((await createSetupLink(ctx.control, clock.now))?.token as string)
      }
      const [first = '', second = '', newest = ''] = tokens
      const look = async (token: string) =>
        (await callApi(url, 'POST', '/link/look', { body: { token } })).json
      for (const token of [first, second]) {
        expect(await look(token)).toMatchObject({ error: { code: 'link_invalid' } })
      }
      const withoutAddress = { token: newest, name: 'A', password: PASSWORD }
      const incomplete = await callApi(url, 'POST', '/link/use', { body: withoutAddress })
      expect(incomplete.json).toMatchObject({ error: { message: 'email: must not be empty' } })
      const all = await Promise.allSettled(
        [0, 1, 2].map((i) => acceptInvite(url, newest, { email: `owner${i}@example.com` })),
      )
      const arrived = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(arrived).toHaveLength(1)
      expect(arrived[0]?.role).toBe('owner')
      expect(await look(newest)).toMatchObject({ error: { code: 'link_used' } })
    } finally {
      await service.stop()
    }
  })
})
