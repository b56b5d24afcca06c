import { CreateBucketCommand } from '@aws-sdk/client-s3'
import {
  createClients,
  S3_LIMITS,
  type S3Options,
} from '../../domain/downloads/storage/s3/client.ts'

/** Creates the bucket that the options name, at a server that others wrote. */
export async function createBucket(options: S3Options): Promise<void> {
  const { reading, taking } = createClients(options, S3_LIMITS)
  await taking.send(new CreateBucketCommand({ Bucket: options.bucket }))
  for (const client of [reading, taking]) client.destroy()
}
