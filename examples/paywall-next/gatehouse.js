import { createGate, Gatehouse } from '@gatehouse/sdk'

const { AID, PRIVATE_KEY, GATEHOUSE = 'http://127.0.0.1:8080/sandbox', PORT = '3000' } = process.env

export const SITE = `http://localhost:${PORT}`
export const RID = 'tides'

export const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })
export const paywall = createGate({ gatehouse })
