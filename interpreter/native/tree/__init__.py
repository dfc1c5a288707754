"""A search tree in native code: UCT (Kocsis, Szepesvari 2006) with proven results (Winands and others 2008).

One call of `grow` makes the tree so many playouts larger. A playout goes down the tree by the
upper confidence bound (`selection`), looks at how the position it comes to ends, plays on from there at
random (`growth`) until the game ends or can be judged (`judgement`), and tells all nodes on its way what came
of it (`backpropagation`). On its way it opens nodes (`expansion`), and looks for wins near those that were
visited often (`tactics`, `foresight`).

The tree lies in memory of the caller (`memory`). It never outgrows that: where there is no room, `grow` comes
back, and `transplant` (`pruning`) copies to new memory what is worth keeping.
"""
