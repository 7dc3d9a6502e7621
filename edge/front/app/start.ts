import { lastReads, sendEarlyExchange, signOutKey, stayKey } from './platform/session-route.ts'

/*
 * The first script, which is part of the page: resumes the session while the other scripts load, and so saves a round
 * trip over a slow network (npm run bench -- front). Without it, the client does the same a little later.
 */
const isSignedIn = localStorage.getItem(stayKey) !== null && localStorage.getItem(signOutKey) === null
if (isSignedIn && lastReads().length > 0) sendEarlyExchange()
