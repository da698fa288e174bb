FROM node:24-slim AS build
WORKDIR /app
%% if pnpm
RUN corepack enable
%% end
%% if yarn
RUN corepack enable
%% end
%% if bun
RUN npm install --global «packageManager»
%% end
COPY «manifests» ./
RUN «install»
%% if ts
COPY tsconfig.json ./
COPY src src
COPY test test
RUN «run» build
%% end
RUN «prune»

FROM node:24-slim
ENV NODE_ENV=production PORT=3030
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY package.json ./
%% if ts
COPY --from=build /app/dist/src dist/src
%% else
COPY src src
%% end
%% if embedded
RUN install -d -o node -g node /app/data
ENV DATA_DIR=/app/data
VOLUME /app/data
%% end
# Without rights. Secrets and addresses come as variables when it is run: docker run --env-file .env -p 3030:3030 «name»
USER node
EXPOSE 3030
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1 and gets SIGTERM: what is in flight is answered first.
%% if ts
CMD ["node", "dist/src/main.js"]
%% else
CMD ["node", "src/main.js"]
%% end
