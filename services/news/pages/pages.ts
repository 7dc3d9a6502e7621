import type { HandlerContext } from '@connectrpc/connect'
import { type CreatePageFromTemplateRequest, PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { recountPages } from '../totals/recount.ts'
import { openPage } from './access.ts'
import { createPage } from './create.ts'
import { deletePage, listTrashedPages, restorePage } from './delete.ts'
import { answerPages } from './list.ts'
import { getPage } from './read.ts'
import { archivePage, publishPage, schedulePage, unarchivePage, unpublishPage, unschedulePage } from './status.ts'
import { getHierarchy } from './tree.ts'
import { updatePage } from './update.ts'

/** Passed in, because templates import pages. */
type FromTemplate = (
  news: Context,
  request: CreatePageFromTemplateRequest,
  context: HandlerContext,
) => Promise<Awaited<ReturnType<typeof createPage>>>

export const pageService = (news: Context, createPageFromTemplate: FromTemplate): Rpc =>
  implement(PageService, {
    createPage: (request, context) => createPage(news, request, context),
    listPages: (request, context) => answerPages(news, request, context),
    listTrashedPages: (request, context) => listTrashedPages(news, request, context),
    getPage: (request, context) => getPage(news, request, context),
    updatePage: (request, context) => updatePage(news, request, context),
    deletePage: ({ id }, context) => deletePage(news, id, context),
    publishPage: (request, context) => publishPage(news, request, context),
    schedulePage: (request, context) => schedulePage(news, request, context),
    unschedulePage: ({ id }, context) => unschedulePage(news, id, context),
    unpublishPage: ({ id }, context) => unpublishPage(news, id, context),
    archivePage: ({ id }, context) => archivePage(news, id, context),
    unarchivePage: ({ id }, context) => unarchivePage(news, id, context),
    restorePage: ({ id }, context) => restorePage(news, id, context),
    getPageHierarchy: ({ id }, context) => getHierarchy(news, id, context),
    createPageFromTemplate: (request, context) => createPageFromTemplate(news, request, context),
    checkPageAccess: async ({ id }, context) => ({
      workspaceId: (await openPage(news, context, id)).tenant.workspaceId,
    }),
    recountPages: request => recountPages(news, request),
  })
