import Testing
import TextGrid

@Suite("Grid")
struct GridTests {
    @Test("a text is cut at the right edge of its area")
    func cutsAtTheEdge() {
        var grid = Grid(columns: 10, rows: 1)
        let end = grid.put("abcdef", .plain, in: Area(column: 2, row: 0, columns: 4, rows: 1))
        #expect(grid.text(row: 0) == "  abcd")
        #expect(end == 4)
    }

    @Test("cells can be compared as memory: they have no gaps, and equal ones have the same bytes")
    func memory() {
        #expect(MemoryLayout<Cell>.size == MemoryLayout<Cell>.stride)
        var fields = [MemoryLayout<Cell>.offset(of: \.scalar), MemoryLayout<Cell>.offset(of: \.style)]
        fields.append(MemoryLayout<Cell>.offset(of: \.columns))
        #expect(fields == [0, 12, 14])
        let grids = ["é", "e\u{301}", "e\u{301}\u{323}"].map { text in
            var grid = Grid(columns: 2, rows: 1)
            grid.put("xy", .strong, in: grid.area)
            grid.put(text, .faint, in: grid.area)
            return grid
        }
        for one in grids {
            for other in grids {
                let bytes = [one, other].map { $0.cells.withUnsafeBytes(Array.init) }
                #expect((bytes[0] == bytes[1]) == (one == other))
            }
        }
    }

    @Test("half of a wide character is never shown")
    func neverHalfOfAWideCharacter() {
        var grid = Grid(columns: 3, rows: 1)
        grid.put("体温計", .plain, in: grid.area)
        #expect(grid.text(row: 0) == "体")
        #expect(grid[2, 0] == .blank)
    }

    @Test("overwriting one half of a wide character blanks the other", arguments: [0, 1])
    func overwritingBlanksTheOtherHalf(column: Int) {
        var grid = Grid(columns: 2, rows: 1)
        grid.put("体", .plain, in: grid.area)
        grid.set("x", .plain, column: column, row: 0)
        #expect(grid[column, 0].scalar == "x")
        #expect(grid[1 - column, 0].scalar == " ")
        #expect(grid[1 - column, 0].columns == 1)
    }

    @Test("a wide character over the halves of two others leaves no half behind")
    func wideOverTwoWide() {
        var grid = Grid(columns: 4, rows: 1)
        grid.put("体温", .plain, in: grid.area)
        grid.put("計", .plain, at: 1, in: grid.area)
        #expect(grid.cells.map(\.columns) == [1, 2, 0, 1])
        #expect(grid.text(row: 0) == " 計")
    }

    @Test("nothing is written outside of the grid")
    func nothingOutside() {
        var grid = Grid(columns: 3, rows: 2)
        grid.put("abc", .plain, in: Area(column: -1, row: 0, columns: 9, rows: 1))
        grid.put("xyz", .plain, in: Area(column: 1, row: 7, columns: 9, rows: 1))
        grid.fill(Area(column: -5, row: -5, columns: 6, rows: 6), "#", .plain)
        grid.restyle(Area(column: -5, row: -5, columns: 60, rows: 60)) { $0.reversed }
        #expect(grid.text(row: 0) == "#c")
        #expect(grid.text(row: 1) == "")
        #expect(grid[9, 9] == .blank)
    }

    @Test("control characters become a replacement, invisible ones vanish")
    func controlsAreReplaced() {
        var grid = Grid(columns: 20, rows: 1)
        grid.put("a\u{1B}[2J\u{202E}b\u{200D}\u{FE0F}c\u{7F}\u{9B}", .plain, in: grid.area)
        #expect(grid.text(row: 0) == "a\u{FFFD}[2Jbc\u{FFFD}\u{FFFD}")
    }

    @Test("combining marks join the character before; more than two are left out")
    func marksJoin() {
        var grid = Grid(columns: 5, rows: 1)
        grid.put("\u{0301}e\u{0301}\u{0302}\u{0303}x体\u{0301}", .plain, in: grid.area)
        #expect(grid[0, 0].scalar == "e")
        #expect(grid[0, 0].firstMark == "\u{0301}")
        #expect(grid[0, 0].secondMark == "\u{0302}")
        #expect(grid[1, 0].firstMark == nil)
        #expect(grid[2, 0].firstMark == "\u{0301}")
    }

    @Test("an ASCII grid holds nothing but ASCII")
    func asciiStaysASCII() {
        var grid = Grid(columns: 12, rows: 1, isASCII: true)
        grid.put("Zoë · 体温 …", .plain, in: grid.area)
        #expect(grid.text(row: 0) == "Zo? - ?? .")
    }

    @Test("sizes are held between nothing and a thousand", arguments: [(-3, 0), (0, 0), (5_000_000, 1000)])
    func sizesAreBounded(asked: Int, given: Int) {
        #expect(Grid(columns: asked, rows: 1).columns == given)
        #expect(Grid(columns: 1, rows: asked).rows == given)
    }
}

@Suite("Thinned braille")
struct ThinningTests {
    @Test("has a half, a quarter and another quarter of the dots, and nothing that was not there")
    func dots() {
        for value in UInt32(0x2800)...0x28FF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(scalar.thinned(0) == scalar)
            for level in 1...3 {
                let thinned = scalar.thinned(level)
                let dots = thinned == " " ? 0 : thinned.value & 0xFF
                #expect(dots & ~value == 0 && (thinned == " ") == (dots == 0))
            }
        }
        #expect((1...3).map { Unicode.Scalar("⣿").thinned($0).value.nonzeroBitCount - 2 } == [4, 2, 2])
        // What glows less is thinned to less.
        #expect(["⣿", "⢕", "⠡"].map { (dots: Unicode.Scalar) in dots.thinned(3) } == ["⡐", "⠐", " "])
    }

    @Test("anything else stays as it is")
    func others() {
        for scalar: Unicode.Scalar in [" ", "A", "█", "╌", "\u{27FF}", "\u{2900}"] {
            #expect((0...3).allSatisfy { scalar.thinned($0) == scalar })
        }
    }
}
