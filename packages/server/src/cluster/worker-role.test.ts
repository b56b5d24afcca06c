import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { ignoreRejection } from '../testing/processes/process.ts'
import { singleProcessRole } from './worker-role.ts'

const REQUEST = 'GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'

it('serves all connections in the backlog before it stops accepting, and none after', async () => {
  const server = createServer((_, response) => response.end('served'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const answers = Array.from({ length: 40 }, async () => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    socket.write(REQUEST)
    const [answer] = await once(socket, 'data')
    return answer as string
  })
  const answered = ignoreRejection(Promise.all(answers))
  const gone = connect(port, '127.0.0.1')
  await once(gone, 'connect')
  gone.resetAndDestroy()
  await singleProcessRole.stopAccepting(server)
  await expect(once(connect(port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
  for (const answer of await answered) expect(answer).toMatch(/served$/)
})
