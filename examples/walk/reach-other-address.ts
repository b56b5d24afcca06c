/** Asks a program that should listen on `localhost` alone at another address of the machine, which a program that listens
 * on all interfaces has too. */
export async function reachOtherAddress(origin: string): Promise<Response> {
  const { port } = new URL(origin)
  return await fetch(`http://127.0.0.2:${port}/`, { redirect: 'manual' })
}
