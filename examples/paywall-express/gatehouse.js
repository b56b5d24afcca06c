import { Gatehouse } from '@gatehouse/sdk'

const { AID, PRIVATE_KEY, GATEHOUSE = 'http://127.0.0.1:8080/sandbox' } = process.env

// Throws an error that names what is missing. `npm start` of Gatehouse prints the AID.
export const gatehouse = new Gatehouse({ baseUrl: GATEHOUSE, aid: AID, privateKey: PRIVATE_KEY })
