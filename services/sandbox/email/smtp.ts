import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { callbackify } from 'node:util'
import PostalMime, { decodeWords } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Log } from '../../kernel/process/log.ts'
import { type Faults, pause } from '../faults.ts'
import { keyAccepted } from '../request-values.ts'
import type { SandboxState } from '../state.ts'

const maxBytes = 5_000_000

type Part = { state: SandboxState; faults: Faults; log: Log; closing: AbortSignal }

/** The mail provider's SMTP server, without TLS. Recipients that begin with `refused-` get a 550. */
export async function startSmtp(port: number, host: string, { state, faults, log, closing }: Part) {
  const sockets = new Map<number, Socket>()

  async function receive(stream: SMTPServerDataStream, session: SMTPServerSession): Promise<string> {
    const rawMail = await drain(stream)
    if (stream.sizeExceeded) throw smtpError(552, 'Message exceeds fixed maximum message size')
    const { subject = '', text = '', html = '', ...parsedMail } = await PostalMime.parse(rawMail)
    const headers = Object.fromEntries(parsedMail.headers.map(({ key, value }) => [key, decodeWords(value)]))
    const to = session.envelope.rcptTo.map(recipient => recipient.address)
    const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
    const receivedAt = new Date().toISOString()
    state.requests.add({
      receivedAt,
      provider: 'email',
      method: 'SMTP',
      path: '/smtp',
      body: { from, to, subject, text, html },
    })
    const socket = sockets.get(session.remotePort)
    const fault = faults.take('email', 'SMTP', '/smtp')
    if (fault && fault.delayMs > 0 && !(await pause(fault.delayMs, closing))) throw smtpError(421, 'Closing')
    const deliver = () =>
      state.mails.add({
        id: session.id,
        receivedAt,
        via: 'smtp',
        to,
        from: headers['from'] || from,
        subject,
        text,
        html,
        headers,
      })
    if (!fault || fault.mode === 'delay' || fault.after) deliver()
    if (fault?.mode === 'reset') socket?.destroy()
    if (fault?.mode === 'garbage') socket?.end('<<< \u0000 not an answer\r\n')
    if (fault?.mode === '429') throw smtpError(451, '4.7.1 Too many messages, try again later')
    if (fault?.mode === '500') throw smtpError(451, '4.3.0 Internal error')
    if (fault?.mode === '400') throw smtpError(554, '5.6.0 Message refused')
    return `queued as ${session.id}`
  }

  const server = new SMTPServer({
    name: 'sandbox',
    banner: 'local mail sandbox',
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: maxBytes,
    maxClients: 200,
    socketTimeout: 150_000,
    closeTimeout: 500,
    logger: false,
    onAuth: (auth, _session, callback) =>
      keyAccepted(auth.password ?? undefined)
        ? callback(null, { user: auth.username ?? 'user' })
        : callback(smtpError(535, '5.7.8 Authentication failed')),
    onRcptTo: (address, session, callback) => {
      if (address.address.startsWith('refused-'))
        return callback(smtpError(550, `5.1.1 <${address.address}>: no such user`))
      callback(session.envelope.rcptTo.length < 1000 ? null : smtpError(452, '4.5.3 Too many recipients'))
    },
    onData: callbackify(receive),
  })
  server.on('error', (error: Error) => log.debug({ reason: error.message }, 'SMTP client error'))
  server.server.on('connection', (socket: Socket) => {
    const from = socket.remotePort ?? 0
    sockets.set(from, socket)
    socket.once('close', () => sockets.delete(from))
  })
  server.listen(port, host)
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

async function drain(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) if (!stream.sizeExceeded) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const smtpError = (responseCode: number, message: string): Error => Object.assign(new Error(message), { responseCode })
