import { WebhookError } from '@gatehouse/sdk'
import { readEvent } from '@gatehouse/sdk/webhooks'
import express from 'express'
import { handle } from './handle.js'

const { PORT = '3000', WEBHOOK_SECRET = '' } = process.env
// Both secrets during a rotation, with a space between them.
const secrets = WEBHOOK_SECRET.split(' ')

const app = express()

// The raw body: the signature covers every byte of it.
app.post('/webhook', express.raw({ type: 'application/json' }), async (req, res) => {
  try {
    const event = await readEvent(req.body, req.headers, secrets)
    // Answer first, work later: Gatehouse waits for 15 seconds, and then sends the event again.
    res.sendStatus(204)
    setImmediate(handle, event)
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    console.error(error.message)
    res.status(400).send(error.reason)
  }
})

app.listen(PORT, '127.0.0.1', (error) => {
  if (error) throw error
  console.log(`Webhooks arrive at http://localhost:${PORT} /webhook`)
})
