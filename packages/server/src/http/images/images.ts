import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.ts'
import type { Environment } from '../../context.ts'
import { findImageFile } from '../../domain/images/images.ts'
import { readWhole } from '../../domain/images/read.ts'
import { fail } from '../../errors.ts'
import { parseImageFileName } from '../../image-url.ts'
import { leadToFilesHost } from '../files-host.ts'
import { FILE_HEADERS } from '../response-headers.ts'

interface Route {
  Params: { aid: string; name: string }
}

/** Registers the route of uploaded images. They are public: checkout pages and emails show them. */
export function images(config: Config, env: Environment) {
  return async (app: FastifyInstance): Promise<void> => {
    const options = {
      schema: { hide: true },
      onRequest: leadToFilesHost(config, env, app.prefix),
    }
    app.get<Route>('/images/:aid/:name', options, async ({ params }, reply) => {
      const name = parseImageFileName(params.name)
      if (!name) throw fail('image_not_found')
      const key = { aid: params.aid, id: name.id }
      const found = await findImageFile(env.database.read, key, name.width)
      if (!found) throw fail('image_not_found')
      return reply
        .headers({
          'content-type': found.type,
          // The id is derived from the content.
          'cache-control': 'public, max-age=31536000, immutable',
          ...FILE_HEADERS,
        })
        .send(await readWhole(env.stores, found.file))
    })
  }
}
