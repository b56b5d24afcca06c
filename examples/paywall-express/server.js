import { ReturnError } from '@gatehouse/sdk'
import { gate } from '@gatehouse/sdk/express'
import express from 'express'
import { gatehouse } from './gatehouse.js'
import { article, teaser } from './pages.js'
import { findReader, requireReader, signIn } from './readers.js'

const { PORT = '3000' } = process.env
const SITE = `http://localhost:${PORT}`
const RID = 'tides'

const app = express()
app.use(express.urlencoded(), findReader)
app.post('/sign-in', signIn)

const paywall = gate({
  gatehouse,
  rid: RID,
  userRef: (req) => req.reader,
  denied: (decision, _req, res) =>
    res.status(decision.code === 'unavailable' ? 503 : 200).send(teaser(decision)),
})

app.get('/', paywall, async (req, res) => {
  res.send(article({ isThanked: await hasJustPaid(req) }))
})

app.post('/buy', requireReader, async (req, res) => {
  const link = await gatehouse.purchaseLink({
    rid: RID,
    user_ref: req.reader,
    email: req.reader,
    return_url: `${SITE}/`,
  })
  res.redirect(303, link)
})

async function hasJustPaid(req) {
  try {
    await gatehouse.readReturn(req.originalUrl, { rid: RID, userRef: req.reader, origin: SITE })
    return true
  } catch (error) {
    // Not a proof of payment, or an old one.
    if (error instanceof ReturnError) return false
    throw error
  }
}

// On this machine alone, because anybody can sign in as anybody.
app.listen(PORT, '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`The site is at ${SITE}`)
})
