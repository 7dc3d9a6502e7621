# One image for every service, the edge and the sandbox; compose.yml says which one a container runs.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package needs its install script here: the image brings Node, and bcrypt brings what it needs built.
RUN npm ci --ignore-scripts
COPY gen gen
COPY services services
COPY edge edge
COPY cli cli
COPY docs docs
COPY CHANGELOG.md ./
RUN node cli/build/main.ts && npm prune --omit=dev --ignore-scripts

FROM node:24-slim
# The root file system can be read-only: what is written goes to /tmp and /data.
ENV NODE_ENV=production NODE_COMPILE_CACHE=/tmp/compile-cache DATA_DIR=/data
RUN mkdir /data && chown node:node /data
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json .env.example ./
COPY gen gen
COPY services services
COPY edge edge
COPY cli cli
USER node
CMD ["node", "services/main.ts"]
