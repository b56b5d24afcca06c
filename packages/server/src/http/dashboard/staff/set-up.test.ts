import { describe, expect, it } from 'vitest'
import { createSetupLink } from '../../../domain/staff/links.ts'
import { databases } from '../../../testing/databases.ts'
import { startTestService } from '../../../testing/service.ts'
import { acceptInvite, callApi, PASSWORD } from '../../../testing/staff.ts'

describe.each(databases)('setting up on $name', (database) => {
  it('makes one owner, whoever has a link and however many use theirs at once', async () => {
    const service = await startTestService(database)
    try {
      const { ctx, url, clock } = service
      const links = await Promise.all([1, 2, 3].map(() => createSetupLink(ctx.control, clock.now)))
      const tokens = links.map((link) => link?.token as string)
      const withoutAddress = { token: tokens[0], name: 'A', password: PASSWORD }
      const incomplete = await callApi(url, 'POST', '/link/use', { body: withoutAddress })
      expect(incomplete.json).toMatchObject({ error: { message: 'email: must not be empty' } })
      const all = await Promise.allSettled(
        tokens.map((token, i) => acceptInvite(url, token, { email: `owner${i}@example.com` })),
      )
      const arrived = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      expect(arrived).toHaveLength(1)
      expect(arrived[0]?.role).toBe('owner')
      for (const token of tokens) {
        const look = await callApi(url, 'POST', '/link/look', { body: { token } })
        expect(look.json).toMatchObject({ error: { code: 'link_used' } })
      }
    } finally {
      await service.stop()
    }
  })
})
