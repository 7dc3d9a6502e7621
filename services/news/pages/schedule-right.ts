import { create, fromJsonString } from '@bufbuild/protobuf'
import { AccountService, type Asker, AskerSchema } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { tenantOfRecord } from '../../kernel/access/access.ts'
import { authorizeAsker, claimsOfAsker } from '../../kernel/access/asker.ts'
import { ForbiddenError, NotFoundError } from '../../kernel/base/errors.ts'
import type { Runtime } from '../../kernel/rpc/host.ts'
import type { PageRow } from '../tables.ts'

/** Clients that answer questions about rights, accounts and credentials. */
export type AskedServices = Pick<Runtime, 'rights' | 'accounts' | 'client'>

/** Whether the caller who scheduled a page could publish it now. Throws while that is unknown. */
export async function mayPublish(
  services: AskedServices,
  page: Pick<PageRow, 'workspace_id' | 'created_by_id' | 'scheduled_by'>,
): Promise<boolean> {
  const asker = await schedulerOf(services, page)
  if (!asker || !(await isLive(services, asker))) return false
  try {
    const values = await authorizeAsker(asker, PageService.method.publishPage, undefined, services.rights)
    await tenantOfRecord({ values }, page.workspace_id, 'Page')
    return true
  } catch (error) {
    if (error instanceof ForbiddenError || error instanceof NotFoundError) return false
    throw error
  }
}

/** Who scheduled the page; its author if that was an older version. Undefined when the author is gone. */
async function schedulerOf(
  { rights }: AskedServices,
  { scheduled_by, created_by_id }: Pick<PageRow, 'scheduled_by' | 'created_by_id'>,
): Promise<Asker | undefined> {
  if (scheduled_by !== null) return fromJsonString(AskerSchema, scheduled_by)
  const author = await rights.ofMember(created_by_id)
  return author?.userId ? create(AskerSchema, { userId: author.userId }) : undefined
}

/** Whether the account, and the credential if it was one, still exist. */
async function isLive({ accounts, client }: AskedServices, asker: Asker): Promise<boolean> {
  if (!(await accounts.isValid(claimsOfAsker(asker)))) return false
  const { credentialId } = asker
  return !credentialId || (await client(AccountService).checkCredential({ credentialId }, { timeoutMs: 5_000 })).isLive
}
