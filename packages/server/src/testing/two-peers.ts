import { NO_PEERS, type Peers } from '../cluster/peers.ts'

/** Two processes that receive each other's messages immediately. */
export function twoPeers(): [Peers, Peers] {
  const heard: { peer: number; topic: string; listen: (content: unknown) => void }[] = []
  const peer = (own: number): Peers => ({
    ...NO_PEERS,
    broadcast(topic, content) {
      for (const one of heard) if (one.peer !== own && one.topic === topic) one.listen(content)
    },
    onBroadcast(topic, listen) {
      heard.push({ peer: own, topic, listen })
    },
  })
  return [peer(0), peer(1)]
}
