/** For `describe.each`: what is true of files must be true wherever they are kept. */
export const stores = [
  {
    name: 'the disk',
    start: async (): Promise<Record<string, string>> => ({}),
    stop: async () => {},
  },
]
