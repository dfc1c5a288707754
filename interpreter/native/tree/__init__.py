"""A search tree in native code: UCT (Kocsis, Szepesvari 2006) with proven results (Winands and others 2008).

One call of `grow` adds a number of playouts to the tree. A playout goes down the tree by the upper
confidence bound (`selection`), checks whether the position it reaches has ended, plays on from there at
random (`growth`) until the game ends or can be judged (`judgement`), and reports the result to all nodes on
its way (`backpropagation`). On the way it opens nodes (`expansion`), and looks for wins near those that were
visited often (`tactics`, `foresight`).

The tree lies in the caller's memory (`memory`) and never outgrows it: when there is no room left, `grow`
returns, and `transplant` (`pruning`) copies what is worth keeping to new memory.
"""
