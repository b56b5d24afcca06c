import { env } from 'cloudflare:workers'
import { Gatehouse } from '@gatehouse/sdk'
import { decisionOf, gate } from '@gatehouse/sdk/hono'
import { Hono } from 'hono'

const { GATEHOUSE, AID, PRIVATE_KEY } = env
const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })
// Asks about every request, so that a test sees what happens without the service.
const options = { gatehouse, cacheFor: 0, cacheRefusalsFor: 0 }

const app = new Hono()
app.get(
  '/:rid',
  gate({
    ...options,
    userRef: (c) => c.req.header('x-reader'),
    rid: (c) => c.req.param('rid'),
  }),
  (c) => c.text(`for ${decisionOf(c).userRef} only`),
)
export default app
