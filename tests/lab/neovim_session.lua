-- A session as a person has it, in a real editor: nvim --headless -u NONE -n -i NONE -S neovim_session.lua
-- PLANVOW_LSP is the command of the server as JSON, PLANVOW_FOLDER holds domain.hddl and problem.hddl, and what was
-- seen is written to seen.json there. Editors from Neovim 0.7 on can do it.
local folder = vim.env.PLANVOW_FOLDER
local command = vim.fn.json_decode(vim.env.PLANVOW_LSP)
local seen = {}
local PATIENCE = 60000

local function leave(word)
  seen.ended = word
  vim.fn.writefile({ vim.fn.json_encode(seen) }, folder .. "/seen.json")
  vim.cmd("qall!")
end

local function wait(what, holds)
  if not vim.wait(PATIENCE, holds, 20) then
    leave("nothing came of: " .. what)
    error(what)
  end
end

local function attach(buffer)
  local start = { name = "planvow", cmd = command, root_dir = folder }
  if vim.lsp.start then
    vim.lsp.start(start, { bufnr = buffer })
  else -- Neovim 0.7
    _G.planvow = _G.planvow or vim.lsp.start_client(start)
    vim.lsp.buf_attach_client(buffer, _G.planvow)
  end
end

local function open(name)
  vim.cmd("edit " .. folder .. "/" .. name)
  vim.bo.filetype = "hddl"
  local buffer = vim.api.nvim_get_current_buf()
  attach(buffer)
  wait("starting the server for " .. name, function()
    for _, client in pairs(vim.lsp.buf_get_clients(buffer)) do
      if client.initialized then return true end
    end
  end)
  return buffer
end

local function messages(buffer)
  return vim.tbl_map(function(found) return found.message end, vim.diagnostic.get(buffer))
end

local function place() -- file:line:word under the cursor
  return vim.fn.expand("%:t") .. ":" .. vim.fn.line(".") .. ":" .. vim.fn.expand("<cWORD>")
end

local function run()
  local domain = open("domain.hddl")
  -- A typed mistake shows, with its place.
  vim.fn.search("(fetch ?b ?c) (go", "w")
  vim.cmd("normal! llrX") -- fetch becomes fXtch
  wait("a diagnostic", function() return #vim.diagnostic.get(domain) > 0 end)
  local wrong = vim.diagnostic.get(domain)[1]
  seen.mistake = { messages = messages(domain), line = wrong.lnum + 1, code = wrong.code,
    cut = vim.fn.getline(wrong.lnum + 1):sub(wrong.col + 1, wrong.end_col) }
  -- The quick fix takes it back.
  vim.ui.select = function(items, _, choose) choose(items[1], 1) end
  vim.lsp.buf.code_action()
  wait("the quick fix", function() return #vim.diagnostic.get(domain) == 0 and vim.fn.search("(fetch ?b ?c) (go", "nw") > 0 end)
  seen.fixed = vim.fn.getline("."):match("%S.*")
  -- From a task in the problem to its declaration in the domain.
  local problem = open("problem.hddl")
  wait("silence about the problem", function() return #vim.diagnostic.get(problem) == 0 end)
  vim.fn.search("(serve Ann)", "w")
  vim.cmd("normal! l")
  vim.lsp.buf.definition()
  wait("the jump", function() return vim.api.nvim_get_current_buf() == domain end)
  seen.definition = place()
  -- What an action needs and changes, in a window over the text.
  vim.fn.search("(give ?b", "w")
  vim.cmd("normal! l")
  vim.lsp.buf.hover()
  local window
  wait("the hover", function()
    for _, each in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(each).relative ~= "" then window = each end
    end
    return window ~= nil
  end)
  seen.hover = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
  vim.api.nvim_win_close(window, true)
  -- Completion of a half-typed subtask, taken.
  vim.fn.search("(fetch ?b ?c) (go", "w")
  vim.cmd("normal! i(fet") -- before the subtask
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  vim.api.nvim_win_set_cursor(0, { row, column })
  local asked = vim.lsp.util.make_position_params(0, "utf-16")
  asked.position.character = asked.position.character + 1
  local answers = vim.lsp.buf_request_sync(domain, "textDocument/completion", asked, PATIENCE)
  local _, answer = next(answers)
  seen.completion = vim.tbl_map(function(each) return each.label end, answer.result.items or answer.result)
  vim.lsp.util.apply_text_edits({ (answer.result.items or answer.result)[1].textEdit }, domain, "utf-16")
  seen.completed = vim.fn.getline("."):match("%(fetch%(")
  vim.cmd("undo") vim.cmd("undo")
  -- Formatted, saved, and still nothing to say.
  if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = PATIENCE }) else vim.lsp.buf.formatting_sync(nil, PATIENCE) end
  vim.cmd("write")
  wait("silence about the domain", function() return #vim.diagnostic.get(domain) == 0 end)
  seen.saved = not vim.bo.modified
  leave("well")
end

local ok, problem = pcall(run)
if not ok then leave(tostring(problem)) end
