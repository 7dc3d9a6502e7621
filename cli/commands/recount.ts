import { createClient } from '@connectrpc/connect'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { toRpcError } from '../../services/kernel/base/errors.ts'
import { readSetting } from '../../services/kernel/process/config.ts'
import { remoteTransport } from '../../services/kernel/rpc/remote.ts'
import { type CliCommand, CommandError, exitCodes, faultsOf, textOf } from './command.ts'
import { settingsOf } from './operator-settings.ts'
import { count } from './print.ts'

/** Compares the counters of pages with the rows that they count, and corrects them on request. */
export const recountCommand: CliCommand = {
  name: 'recount',
  summary: 'verifies the counters of pages; --repair corrects them',
  options: {
    workspace: { value: 'id', help: 'only this workspace; default: all' },
    repair: { help: 'corrects wrong counters' },
    host: { value: 'address', help: 'address of the news service for RPCs; default NEWS_RPC_URL, else 127.0.0.1' },
  },
  async run({ env, optionValues }) {
    const settings = settingsOf(env)
    const key = readSetting(settings, 'NEWS', 'SERVICE_API_KEY')
    if (!key) throw new CommandError('No service key is configured: set SERVICE_API_KEY or DATA_DIR.')
    const host = textOf(optionValues, 'host')
    const defaultUrl = `http://${host ?? '127.0.0.1'}:${readSetting(settings, '', 'NEWS_RPC_PORT') ?? 4004}`
    const url = host ? defaultUrl : (readSetting(settings, '', 'NEWS_RPC_URL') ?? defaultUrl)
    const transport = remoteTransport(url)
    try {
      const repair = optionValues['repair'] === true
      const input = { workspaceId: textOf(optionValues, 'workspace') ?? '', repair }
      const options = { headers: { 'x-api-key': key }, timeoutMs: 60_000 }
      const { checked, wrong, repaired } = await createClient(PageService, transport).recountPages(input, options)
      const text = `${count(checked, 'counter')} checked, ${wrong} wrong, ${repaired} corrected.`
      return { data: { checked, wrong, repaired }, text, isFault: wrong > repaired }
    } catch (error) {
      const { info, rawMessage } = toRpcError(error)
      const { status } = info
      if (status >= 500) throw new CommandError(`${url}: ${rawMessage}`, exitCodes.unreachable, status)
      throw new CommandError(`${status} ${faultsOf(info.violations) || rawMessage}`, exitCodes.fault, status)
    } finally {
      transport.close()
    }
  },
}
