import { Gatehouse } from '@gatehouse/sdk'

const { AID, PRIVATE_KEY, GATEHOUSE = 'http://127.0.0.1:8080/sandbox' } = process.env
if (!AID || !PRIVATE_KEY) throw new Error('Set AID and PRIVATE_KEY, which `npm start` prints.')

export const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })
