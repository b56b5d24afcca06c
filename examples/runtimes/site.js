// A site that runs wherever there are Request and Response. Every page is paid.
import { Gatehouse } from '@gatehouse/sdk'
import { decisionOf, gate } from '@gatehouse/sdk/worker'

export function createSite({ GATEHOUSE, AID, PRIVATE_KEY }) {
  const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })
  // Asks about every request, so that a test sees what happens without the service.
  const options = { gatehouse, cacheFor: 0, cacheRefusalsFor: 0 }
  return gate(
    {
      ...options,
      userRef: (request) => request.headers.get('x-reader'),
      rid: (request) => new URL(request.url).pathname.slice(1),
    },
    (request) => new Response(`for ${decisionOf(request).userRef} only`),
  )
}
