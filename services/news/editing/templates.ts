import type { MessageInitShape } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import type { CreatePageFromTemplateRequest } from '../../../gen/platform/news/v1/pages_pb.ts'
import {
  type CreateTemplateRequest,
  type TemplateSchema,
  TemplateService,
  type UpdateTemplateRequest,
} from '../../../gen/platform/news/v1/templates_pb.ts'
import { tenantOf, tenantOfRecord } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { contentText } from '../pages/content.ts'
import { storePage } from '../pages/create.ts'
import { document } from '../pages/read.ts'
import { locateRecord, writeRecord } from '../records.sql.ts'
import type { PageTemplateRow } from '../tables.ts'
import { countUse, findTemplate, insertTemplate, listTemplates, lockTemplate } from './templates.sql.ts'

const templateNotFound = () => new NotFoundError('Template not found')

const openTemplate = async ({ db }: Context, context: HandlerContext, id: string): Promise<Tenant> =>
  tenantOfRecord(context, await locateRecord(db, 'templates', id), 'Template')

const templateOf = (row: PageTemplateRow): MessageInitShape<typeof TemplateSchema> => ({
  ...messageFields(row),
  content: document(row.content),
})

async function createTemplate({ db }: Context, request: CreateTemplateRequest, context: HandlerContext) {
  const tenant = tenantOf(context)
  const now = new Date()
  const row: PageTemplateRow = {
    id: newId(),
    workspace_id: tenant.workspaceId,
    name: request.name,
    description: request.description ?? null,
    content: contentText(request.content),
    page_type: request.pageType ?? 'article',
    usage_count: 0,
    is_active: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
  }
  await insertTemplate(db, row)
  return { template: templateOf(row) }
}

async function updateTemplate(news: Context, request: UpdateTemplateRequest, context: HandlerContext) {
  const tenant = await openTemplate(news, context, request.id)
  const paths = new Set(request.updateMask?.paths)
  if (paths.has('name') && request.name === undefined) throw invalid('name', 'cannot be cleared', 'required')
  const set: Partial<PageTemplateRow> = {
    ...(request.name === undefined ? {} : { name: request.name }),
    ...(paths.has('description') ? { description: request.description ?? null } : {}),
    ...(paths.has('page_type') ? { page_type: request.pageType ?? 'article' } : {}),
    ...(paths.has('content') ? { content: contentText(request.content ?? null) } : {}),
    ...(paths.has('is_active') ? { is_active: request.isActive === false ? 0 : 1 } : {}),
    updated_at: new Date(),
  }
  const row = await inTransaction(news.db, async trx => {
    const before = await lockTemplate(trx, tenant, request.id)
    if (!before) throw templateNotFound()
    if (paths.size === 0) return before
    await writeRecord(trx, 'templates', { ...tenant, id: request.id }, set)
    return { ...before, ...set }
  })
  return { template: templateOf(row) }
}

async function deleteTemplate(news: Context, id: string, context: HandlerContext) {
  const tenant = await openTemplate(news, context, id)
  await inTransaction(news.db, async trx => {
    if (!(await lockTemplate(trx, tenant, id))) throw templateNotFound()
    await writeRecord(trx, 'templates', { ...tenant, id }, { deleted_at: new Date() })
  })
  return { message: 'Template deleted', id }
}

/** Creates a page from a template, overridden by the fields of the request, and counts the use. */
export async function createPageFromTemplate(
  news: Context,
  request: CreatePageFromTemplateRequest,
  context: HandlerContext,
) {
  const tenant = await openTemplate(news, context, request.templateId)
  const template = await findTemplate(news.db, tenant, request.templateId)
  if (!template) throw templateNotFound()
  if (template.is_active !== 1) throw new ConflictError('The template is not active')
  if (request.workspaceId !== undefined && request.workspaceId !== tenant.workspaceId)
    throw invalid('workspaceId', 'must be the workspace of the template', 'template.workspace')
  const { content = document(template.content), title = template.name } = request
  const fields = { ...request, title, content, pageType: template.page_type }
  return storePage(news, context, tenant, fields, async trx => {
    if (!(await countUse(trx, tenant, template.id))) throw templateNotFound()
  })
}

export const templateService = (news: Context): Rpc =>
  implement(TemplateService, {
    createTemplate: (request, context) => createTemplate(news, request, context),
    listTemplates: async (_request, context) => ({
      data: (await listTemplates(news.db, tenantOf(context))).map(row => templateOf(row)),
    }),
    updateTemplate: (request, context) => updateTemplate(news, request, context),
    deleteTemplate: ({ id }, context) => deleteTemplate(news, id, context),
  })
