import { Gatehouse } from '@gatehouse/sdk'
import { decisionOf, gate } from '@gatehouse/sdk/express'
import express from 'express'

const { GATEHOUSE, AID, PRIVATE_KEY } = process.env
const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })
// Asks about every request, so that a test sees what happens without the service.
const options = { gatehouse, cacheFor: 0, cacheRefusalsFor: 0 }

const app = express()
app.get(
  '/:rid',
  gate({
    ...options,
    userRef: (req) => req.headers['x-reader'],
    rid: (req) => req.params.rid,
  }),
  (req, res) => res.send(`for ${decisionOf(req).userRef} only`),
)
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
