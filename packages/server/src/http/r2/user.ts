import type { FastifyInstance } from 'fastify'
import type { Environment } from '../../context.ts'
import { getUser } from '../../domain/users/users.ts'
import { readParameters } from '../../parameters.ts'
import { User, userRecord } from '../../records/user.ts'
import { contract } from './contract.ts'

export function userRoutes(app: FastifyInstance, env: Environment): void {
  app.get<{ Params: { uid: string } }>(
    '/r2/user/:uid',
    contract({
      id: 'getUser',
      summary: "A user's details",
      description: 'Unknown names are empty.',
      parameters: {},
      path: { uid: "The service's user ID." },
      response: User,
      failures: ['user_not_found'],
    }),
    async (request) => {
      const { aid, parameters } = request.signed
      readParameters({}, parameters)
      return userRecord(await getUser(env.database.read, aid, request.params.uid))
    },
  )
}
