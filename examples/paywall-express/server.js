import { ReturnError } from '@gatehouse/sdk'
import express from 'express'
import { gatehouse } from './gatehouse.js'
import { article, teaser, thanks } from './pages.js'
import { findReader, requireReader, signIn } from './readers.js'

const { PORT = '3000' } = process.env
const SITE = `http://localhost:${PORT}`
const RID = 'tides'

const app = express()
app.use(express.urlencoded(), findReader)
app.post('/sign-in', signIn)

app.get('/', async (req, res) => {
  const mayRead = req.reader && (await gatehouse.hasAccess({ rid: RID, user_ref: req.reader }))
  res.send(mayRead ? article() : teaser(req.reader))
})

app.post('/buy', requireReader, async (req, res) => {
  const link = await gatehouse.purchaseLink({
    rid: RID,
    user_ref: req.reader,
    email: req.reader,
    return_url: `${SITE}/thanks`,
  })
  res.redirect(303, link)
})

app.get('/thanks', requireReader, async (req, res) => {
  try {
    await gatehouse.readReturn(req.originalUrl, { rid: RID, userRef: req.reader, origin: SITE })
    res.send(thanks())
  } catch (error) {
    if (!(error instanceof ReturnError)) throw error
    // Not a proof of payment, or an old one. The article itself asks Gatehouse.
    res.redirect('/')
  }
})

app.listen(PORT, () => console.log(`The site is at ${SITE}`))
