import { env } from 'cloudflare:workers'
import { Gatehouse, ReturnError } from '@gatehouse/sdk'
import { gate } from '@gatehouse/sdk/hono'
import { Hono } from 'hono'
import { article, teaser } from './pages.js'
import { findReader, signIn } from './readers.js'

const { AID, PRIVATE_KEY, GATEHOUSE, SITE } = env
const RID = 'tides'

const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })

const app = new Hono()
app.post('/sign-in', signIn)

const paywall = gate({
  gatehouse,
  rid: RID,
  userRef: findReader,
  denied: (decision, c) => c.html(teaser(decision), decision.code === 'unavailable' ? 503 : 200),
})

app.get('/', paywall, async (c) => c.html(article({ isThanked: await hasJustPaid(c) })))

app.post('/buy', async (c) => {
  const reader = await findReader(c)
  if (!reader) return c.redirect('/', 303)
  const buyer = { user_ref: reader, email: reader }
  const link = await gatehouse.purchaseLink({ rid: RID, ...buyer, return_url: `${SITE}/` })
  return c.redirect(link, 303)
})

async function hasJustPaid(c) {
  try {
    const userRef = await findReader(c)
    await gatehouse.readReturn(c.req.url, { rid: RID, userRef, origin: SITE })
    return true
  } catch (error) {
    // Not a proof of payment, or an old one.
    if (error instanceof ReturnError) return false
    throw error
  }
}

export default app
