node_modules
%% if ts
dist
%% end
%% if embedded
data
%% end
.env
.env.*
*.log
