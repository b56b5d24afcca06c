import { startS3, type TestS3 } from './s3.ts'

let s3: TestS3 | undefined

/** For `describe.each`: tests about files must pass for every store. */
export const stores = [
  {
    name: 'the disk',
    start: async (): Promise<Record<string, string>> => ({}),
    stop: async () => {},
  },
  {
    name: 'S3',
    async start(): Promise<Record<string, string>> {
      s3 = await startS3()
      return s3.env
    },
    stop: async () => s3?.stop(),
  },
]
