import { Gatehouse } from '@gatehouse/sdk'
import { decisionOf, gate } from '@gatehouse/sdk/fastify'
import Fastify from 'fastify'

const { GATEHOUSE, AID, PRIVATE_KEY } = process.env
const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })
// Asks about every request, so that a test sees what happens without the service.
const options = { gatehouse, cacheFor: 0, cacheRefusalsFor: 0 }

const app = Fastify()
app.get(
  '/:rid',
  {
    preHandler: gate({
      ...options,
      userRef: (request) => request.headers['x-reader'],
      rid: (request) => request.params.rid,
    }),
  },
  async (request) => `for ${decisionOf(request).userRef} only`,
)
console.log(await app.listen({ port: 0, host: '127.0.0.1' }))
