import { describe, expect, it } from 'vitest'
import type { Refusal } from '../../../testing/dashboard-api.ts'
import { databases } from '../../../testing/databases.ts'
import { useService, useSignedIn } from '../../../testing/use-service.ts'
import type { ConnectionsView } from './schemas.ts'

describe.each(databases)("the operator's settings on $name", (database) => {
  const service = useService(database, {
    env: {
      GATEHOUSE_STRIPE_SECRET_KEY: 'sk_live_operator1234',
      GATEHOUSE_STRIPE_WEBHOOK_SECRET: 'whsec_operator1',
      GATEHOUSE_SMTP_URL: 'smtps://ann:secret@mail.example.com:465',
    },
  })
  const owner = useSignedIn(service, 'owner')

  it('win, are shown as such without a secret, and are not changed here', async () => {
    const { body, text } = await owner.request<ConnectionsView>('GET', '/connections/production')
    expect(body.payments).toMatchObject({ source: 'operator', key_ending: '1234', connected: null })
    expect(body.mail).toMatchObject({ source: 'operator', host: 'mail.example.com', port: 465 })
    expect(text).not.toMatch(/ann|secret|sk_live|whsec/)
    for (const [method, path, sent] of [
      ['PUT', '/payments', { secret_key: 'sk_live_0123456789' }],
      ['POST', '/payments/disconnect', {}],
      ['PUT', '/mail', { host: 'a.example', port: 1, security: 'tls', user: '', sender: 'a@b.c' }],
      ['POST', '/mail/disconnect', undefined],
    ] as const) {
      const answer = await owner.request<Refusal>(method, `/connections/production${path}`, sent)
      expect(answer.body.error.code, path).toBe('set_by_operator')
    }
  })
})
