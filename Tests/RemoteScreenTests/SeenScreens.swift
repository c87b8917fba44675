/// The screens of `ScreenTests`, each row behind a bar.
let seen = """
    === 20x10 page 1
    |Laptop
    |The Night Train
    |Español
    |▶ Playing   +3
    |1:02:18       -55:42
    |[-3][-1][⏸ ][+1][+3]
    |Volume 50 %   ━━━──
    |▌ I gave it to the …
    |
    |? keys  Space pause
    === 20x10 page 2
    |▶ 1:02:18  Laptop
    |   Where is the
    |   ticket?
    |▌  I gave it to the
    |▌  man in the grey
    |▌  coat, …
    |   He got off an
    |   hour ago.
    |
    |? keys  j k choose
    === 20x10 page 3
    |▶ 1:02:18  Laptop
    |> ✓ Español
    |    Deutsch
    |
    |
    |
    |
    |
    |
    |? keys  Enter switch
    === 40x14 page 1
    |Laptop                         [1] 2  3
    |The Night Train
    |Español
    |▶ Playing   +3
    |1:02:18 ━━━━━━━━━━━━───────────   -55:42
    |[ -3  ] [ -1  ] [  ⏸  ] [ +1  ] [ +3  ]
    |Volume 50 %   ━━━━━━━━━━──────────
    |  Where is the ticket?
    |▌ I gave it to the man in the grey coat,
    |▌ the one who did not say a word.
    |  He got off an hour ago.
    |
    |
    |? keys  Space pause  h l 1 s  H L 3 s
    === 40x14 page 2
    |▶ 1:02:18 +3  Laptop            1 [2] 3
    |   1:01:40  Where is the ticket?
    |▌  1:02:10  I gave it to the man in the
    |▌           grey coat,
    |▌           the one who did not say a …
    |   1:02:22  He got off an hour ago.
    |   1:02:40  אז לאן אנחנו נוסעים?
    |   1:02:50  次の駅で降りましょう。
    |
    |
    |
    |
    |
    |? keys  Enter go there  j k choose
    === 40x14 page 3
    |▶ 1:02:18 +3  Laptop            1  2 [3]
    |> ✓ Español
    |    Deutsch
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |? keys  Enter switch  j k choose  q quit
    === 80x18 page 1
    |Laptop                                           [1 Transport] 2 Cues  3 Tracks
    |The Night Train
    |Español
    |
    |▶ Playing   +3
    |1:02:18 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━──────────────────────────────   -55:42
    |
    |[   -3    ] [   -1    ] [    ⏸    ] [   +1    ] [   +3    ]
    |Volume 50 %   ━━━━━━━━━━──────────
    |
    |  Where is the ticket?
    |▌ I gave it to the man in the grey coat,
    |▌ the one who did not say a word.
    |  He got off an hour ago.
    |
    |
    |
    |? keys  Space pause  h l 1 s  H L 3 s  [ ] line  u undo  ↑ ↓ volume  / find
    === 80x18 page 2
    |▶ Playing  1:02:18 -55:42 +3  Laptop              1 Transport [2 Cues] 3 Tracks
    |   1:01:40  Where is the ticket?
    |▌  1:02:10  I gave it to the man in the grey coat,
    |▌           the one who did not say a word.
    |   1:02:22  He got off an hour ago.
    |   1:02:40  אז לאן אנחנו נוסעים?
    |   1:02:50  次の駅で降りましょう。
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |? keys  Enter go there  j k choose  / find  c follow  r repeat  [ ] line  u undo
    === 80x18 page 3
    |▶ Playing  1:02:18 -55:42 +3  Laptop              1 Transport  2 Cues [3 Tracks]
    |> ✓ Español
    |    Deutsch
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |
    |? keys  Enter switch  j k choose  1 2 3 pages  q quit
    === 200x12 page 1
    |Laptop                                                                                                                                                                   [1 Transport] 2 Cues  3 Tracks
    |The Night Train
    |Español
    |▶ Playing   +3
    |1:02:18 ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━╸──────────────────────────────────────────────────────────────────────────────────────   -55:42
    |[   -3    ] [   -1    ] [    ⏸    ] [   +1    ] [   +3    ]
    |Volume 50 %   ━━━━━━━━━━──────────
    |  Where is the ticket?
    |▌ I gave it to the man in the grey coat, …
    |  He got off an hour ago.
    |
    |? keys  Space pause  h l 1 s  H L 3 s  [ ] line  u undo  ↑ ↓ volume  / find  1 2 3 pages  q quit
    === 200x12 page 2
    |▶ Playing  1:02:18 -55:42 +3  Laptop                                                                                                                                      1 Transport [2 Cues] 3 Tracks
    |   1:01:40  Where is the ticket?
    |▌  1:02:10  I gave it to the man in the grey coat,
    |▌           the one who did not say a word.
    |   1:02:22  He got off an hour ago.
    |   1:02:40  אז לאן אנחנו נוסעים?
    |   1:02:50  次の駅で降りましょう。
    |
    |
    |
    |
    |? keys  Enter go there  j k choose  / find  c follow  r repeat  [ ] line  u undo  1 2 3 pages  q quit
    === 200x12 page 3
    |▶ Playing  1:02:18 -55:42 +3  Laptop                                                                                                                                      1 Transport  2 Cues [3 Tracks]
    |> ✓ Español
    |    Deutsch
    |
    |
    |
    |
    |
    |
    |
    |
    |? keys  Enter switch  j k choose  1 2 3 pages  q quit
    === 1x1
    |▶
    === 1x1 lost
    |!
    === 2x1
    |▶
    === 2x1 lost
    |!▶
    === 8x1
    |▶1:02:15
    === 8x1 lost
    |! ▶
    === 30x1
    |▶ Playing  1:02:15 -55:45
    === 30x1 lost
    |! ▶ Playing  1:02:15 -55:45
    === 8x2
    |▶ Playi…
    |1:02:15
    === 8x2 lost
    |! Recon…
    |▶1:02:15
    === 12x3
    |Laptop
    |▶ Playing
    |1:02:15
    === 12x3 lost
    |! Reconnect…
    |▶ Playing
    |1:02:15
    === 3x4
    |La…
    |▶ …
    |1:…
    |
    === 3x4 lost
    |! …
    |▶ …
    |1:…
    |
    === 16x4
    |Laptop
    |▶ Playing
    |1:02:15   -55:45
    |
    === 16x4 lost
    |! Reconnecting,…
    |▶ Playing
    |1:02:15   -55:45
    |
    === 10x6
    |Laptop
    |▶ Playing
    |1:02:15
    |▌ I gave …
    |
    |? keys
    === 10x6 lost
    |! Reconne…
    |▶ Playing
    |1:02:15
    |▌ I gave …
    |
    |? keys
    === overlay ?
    |▶ Playing  1:02:15  Laptop
    |1 2 3, Tab, ← →: pages: transport, cues,
    |tracks
    |Space, p: play or pause
    |h l, - +: 1 s back or on
    |H L: 3 s back or on
    |, .: half a second back or on
    |[ ]: to the line before or after
    |r: repeat this line
    |u: undo the last jump
    |
    |Any key leaves  ↑ ↓ scroll
    === overlay U
    |▶ Playing  1:02:15  Laptop
    |Go back to before which jump?
    |> +1:02:05  0:00 → 1:02:05  Anna
    |
    |
    |
    |
    |
    |
    |
    |
    |Enter go back  ↑ ↓ choose  Esc leave
    === overlay /man grey
    |▶ Playing  1:02:15  Laptop
    |Find: man grey
    |▌> 1:02:10  I gave it to the man in the
    |▌>          grey coat,
    |▌>          the one who did not say a …
    |
    |
    |
    |
    |
    |
    |Enter go there  ↑ ↓ choose  Esc leave
    === overlay o
    |Laptop
    |Choose a host:
    |> 1 Laptop  192.168.1.5:42557
    |  2 Tower  192.168.1.6:42557  (this com…
    |
    |
    |
    |
    |
    |
    |
    |? keys  Enter connect  Esc leave  q quit
    === overlay oa192.168.1.5
    |Laptop
    |Address of the host: 192.168.1.5
    |
    |Such as 192.168.1.5 or
    |laptop.local:42557
    |
    |
    |
    |
    |
    |
    |Enter connect  Esc leave
    === end
    """
