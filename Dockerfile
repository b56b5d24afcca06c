# Any image with Node.js 20.19 or newer, npm and a user `node`, such as the official ones.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

# What both builds install from; this layer stays in the cache until a package changes.
FROM ${NODE_IMAGE} AS packages
WORKDIR /src
COPY .npmrc package.json package-lock.json ./
COPY packages/sdk/package.json packages/sdk/
COPY packages/server/package.json packages/server/
COPY packages/dashboard/package.json packages/dashboard/
COPY examples/paywall-express/package.json examples/paywall-express/

# The server as it is published.
FROM packages AS build
RUN npm ci --include=dev
COPY . .
RUN npm pack --workspace packages/server \
 && mkdir /server \
 && tar -xzf gatehouse-server-*.tgz --strip-components=1 --no-same-owner -C /server

# What it needs at run time, and sharp for images, in the versions of the lock file.
FROM packages AS dependencies
RUN npm ci --omit=dev --workspace packages/server && rm -r node_modules/@gatehouse \
 && npm install --no-save --no-package-lock --prefix /sharp \
    "sharp@$(node -p "require('./package-lock.json').packages['node_modules/sharp'].version")" \
 && cp -Rn /sharp/node_modules/. node_modules/

FROM ${NODE_IMAGE}
COPY --from=dependencies /src/node_modules /opt/gatehouse/node_modules
COPY --from=build /server /opt/gatehouse/node_modules/@gatehouse/server
RUN rm -f /etc/machine-id \
 && ln -s /opt/gatehouse/node_modules/@gatehouse/server/bin/gatehouse.mjs /usr/local/bin/gatehouse \
 && mkdir /etc/gatehouse \
 && install -d -m 700 -o node -g node /var/lib/gatehouse
ENV NODE_ENV=production GATEHOUSE_HOST=0.0.0.0 GATEHOUSE_DATA=/var/lib/gatehouse
# The data stays; a new container gets the same volume. It belongs to the user of the service.
VOLUME /var/lib/gatehouse
# A file .env here is read too.
WORKDIR /etc/gatehouse
USER node
EXPOSE 8080
STOPSIGNAL SIGTERM
# The start may wait a minute for PostgreSQL, and migrate it.
HEALTHCHECK --interval=15s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GATEHOUSE_PORT || 8080}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The program itself and not npm, so that signals reach it.
ENTRYPOINT ["gatehouse"]
CMD ["serve"]
